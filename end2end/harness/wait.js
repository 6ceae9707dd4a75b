// Waiting for a fact, never for a time: `eventually` asks until the answer is there, and says what it last saw when not.
export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Calls `look` until it returns something true (or an assertion in it stops failing); returns that. */
export async function eventually(what, look, { within = 15_000, every = 50 } = {}) {
  const deadline = performance.now() + within;
  let last;
  for (;;) {
    try {
      const seen = await look();
      if (seen) return seen;
      last = `it returned ${JSON.stringify(seen)}`;
    } catch (error) {
      last = error.message;
    }
    if (performance.now() > deadline) throw new Error(`not within ${within} ms: ${what}; ${last}`);
    await sleep(every);
  }
}

/** Runs `work(item, index)` over the items, at most `width` at a time. */
export async function inParallel(items, width, work) {
  const queue = [...items].map((item, index) => [item, index]);
  const results = new Array(queue.length);
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) results[next[1]] = await work(...next);
    }),
  );
  return results;
}
