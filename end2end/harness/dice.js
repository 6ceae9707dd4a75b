// Chance that can be had again: a seeded generator (mulberry32). The seed is printed by whoever fails.
export class Dice {
  constructor(seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32))) {
    this.seed = seed >>> 0;
    this.state = this.seed;
  }

  /** From 0 up to, not including, 1. */
  roll() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(least, most) {
    return least + Math.floor(this.roll() * (most - least + 1));
  }

  pick(items) {
    return items[Math.floor(this.roll() * items.length)];
  }
}
