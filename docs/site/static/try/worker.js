// Python in a thread of its own, a module as Pyodide asks for: loads it with the first command, answers commands on texts.

let starting;

self.onmessage = async ({ data }) => {
  try {
    starting ??= start(data.config, data.base);
    const answer = await starting;
    self.postMessage({ output: answer(data.text, data.words) });
  } catch (error) {
    starting = undefined;
    self.postMessage({ error: String(error.message ?? error) });
  }
};

/** Returns a function of a program and a command that returns what is printed. */
async function start(config, base) {
  self.postMessage({ status: "Loading Python …" });
  const script = await loaded(config.runtime + "pyodide.mjs", { integrity: config.integrity });
  const address = URL.createObjectURL(new Blob([await script.text()], { type: "text/javascript" }));
  const { loadPyodide } = await import(address);
  URL.revokeObjectURL(address);
  const pyodide = await loadPyodide({ indexURL: config.runtime, packageBaseUrl: config.packages });
  self.postMessage({ status: "Loading NumPy and SciPy …" });
  await pyodide.loadPackage(config.names, { messageCallback: () => {}, errorCallback: () => {} });
  for (const name of config.names)
    if (!(name in pyodide.loadedPackages)) throw new Error(`cannot load ${name} from ${config.packages}`);
  self.postMessage({ status: "Loading shlo …" });
  const archive = await loaded(new URL("shlo.zip", base));
  pyodide.unpackArchive(await archive.arrayBuffer(), "zip", { extractDir: "/lib/shlo-site" });
  pyodide.runPython("import sys; sys.path.insert(0, '/lib/shlo-site')");
  pyodide.runPython(await (await loaded(new URL("answer.py", base))).text());
  return pyodide.globals.get("answer");
}

async function loaded(address, options = {}) {
  let response;
  try {
    response = await fetch(address, options);
  } catch {
    throw new Error(`cannot load ${address}`);
  }
  if (!response.ok) throw new Error(`cannot load ${address}: ${response.status}`);
  return response;
}
