// How a row gets into each list of the API, and out of it. A list that is missing here fails walks.test.js.
//
// `create(world)` adds a row and returns what `name(row)` gives for it (by default its id); `remove(world, row)` takes one out
// where a plain DELETE of the row does not. `path(world)` fills in what the list is narrowed to.
let serial = 0;
const next = () => (serial += 1);

const contact = ({ api }) => api.create("/contacts", { phone: `+7999${String(1_000_000 + next())}`, name: "Анна" });
const event = async ({ api }, type) => (await api.event(type, { serial: next() })).id;
const byId = async (made) => (await made).id;
const eventOf = (row) => row.event_id;

export const LISTS = {
  "/contacts": { create: (world) => byId(contact(world)) },
  "/messages": { create: ({ api, contactId }) => byId(api.create("/messages", { contact_id: contactId, text: "Здравствуйте!" })) },
  "/catalog/imports": { create: ({ api }) => byId(api.create("/catalog/imports", { items: [{ sku: "same", name: "Чай" }] })) },
  "/catalog/items": {
    name: (row) => row.sku,
    create: async ({ api }) => {
      const sku = `S-${next()}`;
      // The item that is there already is changed by each import, and must not move.
      await api.create("/catalog/imports", { items: [{ sku: "always", name: sku }, { sku, name: "Кофе" }] });
      return sku;
    },
  },
  "/scenarios": { create: ({ api }) => byId(api.create("/scenarios", SCENARIO)) },
  "/scenarios/{id}/runs": {
    path: ({ scenarioId }) => `/scenarios/${scenarioId}/runs`,
    elsewhere: ({ otherScenarioId }) => `/scenarios/${otherScenarioId}/runs`,
    create: ({ api, scenarioId, contactId }) => byId(api.create(`/scenarios/${scenarioId}/runs`, { contact_id: contactId })),
  },
  "/events": { create: (world) => event(world, "walk.unheard") },
  "/webhooks/endpoints": { create: ({ api }) => byId(api.endpoint("https://receiver.example/hook", "nobody.asks")) },
  "/webhooks/deliveries": { name: eventOf, create: (world) => event(world, "walk.taken") },
  "/webhooks/attempts": { name: eventOf, create: (world) => event(world, "walk.taken") },
  "/webhooks/dead-letters": {
    name: eventOf,
    create: (world) => event(world, "walk.refused"),
    remove: ({ api }, row) => api.create(`/webhooks/dead-letters/${row.id}/dismiss`),
  },
  "/inspector/bins": { create: ({ api }) => byId(api.create("/inspector/bins", {})) },
  "/inspector/bins/{id}/captures": {
    name: (row) => row.path,
    path: ({ bin }) => `/inspector/bins/${bin.id}/captures`,
    elsewhere: ({ otherBin }) => `/inspector/bins/${otherBin.id}/captures`,
    create: async ({ bin }) => {
      const path = `/${next()}`;
      const { status } = await fetch(bin.url + path);
      if (status !== 200) throw new Error(`the bin answered ${status} to ${path}`);
      return path;
    },
  },
  "/idempotency-keys": {
    name: (row) => row.key,
    create: async ({ api }) => {
      const key = `walk-${next()}-${crypto.randomUUID()}`;
      await api.post("/events", { type: "walk.unheard", data: {} }, { idempotencyKey: key });
      return key;
    },
  },
  "/requests": { create: async ({ api }) => (await api.post("/events", { type: "walk.unheard", data: {} })).headers.get("x-request-id") },
};

const SCENARIO = { name: "Встреча", trigger: "contact.created", steps: [] };

/** What the lists of one project need beforehand. */
export async function worldOf(api, receiver) {
  const world = { api };
  world.contactId = (await contact(world)).id;
  world.scenarioId = (await api.create("/scenarios", SCENARIO)).id;
  world.otherScenarioId = (await api.create("/scenarios", SCENARIO)).id;
  for (let n = 0; n < 2; n += 1) await api.create(`/scenarios/${world.otherScenarioId}/runs`, { contact_id: world.contactId });
  world.bin = await api.create("/inspector/bins", {});
  world.otherBin = await api.create("/inspector/bins", {});
  for (let n = 0; n < 2; n += 1) await fetch(world.otherBin.url);
  const taking = await api.endpoint(receiver.hook(`/taken/${world.contactId}`), "walk.taken");
  const refusing = await api.endpoint(receiver.hook(`/refused/${world.contactId}`, 400), "walk.refused");
  // No walk may take these away: the other lists' rows hang on them.
  const { contactId, scenarioId, otherScenarioId, bin, otherBin } = world;
  world.needed = new Set([contactId, scenarioId, otherScenarioId, bin.id, otherBin.id, taking.id, refusing.id]);
  return world;
}
