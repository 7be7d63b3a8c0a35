// Drives `shlo dap` with the client that VS Code's adapters are tested with; fails where that finds anything wrong.
// node debug_client.cjs SHLO SQUARES LINE MATRIX
const assert = require("assert");
const { DebugClient } = require("@vscode/debugadapter-testsupport");

const [shlo, squares, line, matrix] = process.argv.slice(2);
const location = { path: squares, line: Number(line) };

async function session(scenario) {
  const client = new DebugClient(shlo, "dap", "shlo", undefined, true);
  client.defaultTimeout = 60000;
  await client.start();
  try {
    await scenario(client);
  } finally {
    await client.stop();
  }
}

async function stopped(client, request) {
  const [event] = await Promise.all([client.waitForEvent("stopped"), request]);
  return event.body;
}

async function top(client) {
  return (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames[0];
}

async function scope(client, name) {
  const found = await client.scopesRequest({ frameId: (await top(client)).id });
  return found.body.scopes.find((each) => each.name === name).variablesReference;
}

async function walks(client) {
  const launch = { program: squares, args: ["20"], stopOnEntry: false };
  await client.hitBreakpoint(launch, location);
  const reference = await scope(client, "Values");
  const values = (await client.variablesRequest({ variablesReference: reference })).body.variables;
  assert.ok(values.some((each) => each.name === "%product" && each.value === "0"));
  await Promise.all([client.assertStoppedLocation("step", { line: location.line + 1 }), client.nextRequest({ threadId: 1 })]);
  await Promise.all([client.assertStoppedLocation("breakpoint", location), client.stepBackRequest({ threadId: 1 })]);
  const frameId = (await top(client)).id;
  assert.equal((await client.evaluateRequest({ expression: "%i + 3", context: "watch", frameId })).body.result, "3");
  const breakpoints = [{ line: location.line, condition: "%i == 12" }];
  await client.setBreakpointsRequest({ source: { path: squares }, breakpoints });
  await Promise.all([client.assertStoppedLocation("breakpoint", location), client.continueRequest({ threadId: 1 })]);
  assert.equal((await client.evaluateRequest({ expression: "%product", context: "hover" })).body.result, "-112");
  await client.setBreakpointsRequest({ source: { path: squares }, breakpoints: [] });
  await stopped(client, client.continueRequest({ threadId: 1 }));
  await Promise.all([client.waitForEvent("terminated"), client.continueRequest({ threadId: 1 })]);
}

async function pages(client) {
  await Promise.all([client.configurationSequence(), client.launch({ program: matrix }), client.waitForEvent("stopped")]);
  await stopped(client, client.nextRequest({ threadId: 1 }));
  const [value] = (await client.variablesRequest({ variablesReference: await scope(client, "Values") })).body.variables;
  const rows = await client.variablesRequest({ variablesReference: value.variablesReference, filter: "indexed", start: 1, count: 1 });
  assert.deepEqual(rows.body.variables.map((each) => each.name), ["[1]"]);
  const { variablesReference, indexedVariables } = rows.body.variables[0];
  assert.equal(indexedVariables, 2000);
  const part = await client.variablesRequest({ variablesReference, filter: "indexed", start: 1990, count: 5 });
  assert.deepEqual(part.body.variables.map((each) => each.value), ["1990", "1991", "1992", "1993", "1994"]);
}

async function refuses(client) {
  await client.initializeRequest();
  await assert.rejects(client.launchRequest({ program: 5 }), /expected a text as program/);
  await assert.rejects(client.customRequest("dance"), /none of this adapter's/);
}

(async () => {
  for (const scenario of [walks, pages, refuses]) {
    await session(scenario);
    console.log(scenario.name);
  }
})().then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
