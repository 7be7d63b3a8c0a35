// Programs within Markdown and Python, coloured by VS Code's own grammars with ours injected.

import assert from 'node:assert/strict';
import { tokens } from './textmate';

const PYTHON = 'source.python';

/** The operations that are coloured. */
async function coloured(scope: string, text: string): Promise<string[]> {
  const found = await tokens(scope, text);
  return found.filter(({ scopes }) => scopes.includes('support.function.operation.mlir')).map((token) => token.text);
}

describe('a program in another language', () => {
  it('is coloured in Markdown', async () => {
    const text = 'Text `stablehlo.no`.\n\n```mlir\n%0 = stablehlo.add %x\n```\n\n~~~stablehlo\n%1 = stablehlo.abs %x\n~~~\n\nstablehlo.no\n\n```python\nstablehlo.no\n```\n';
    assert.deepEqual(await coloured('text.html.markdown', text), ['stablehlo.add', 'stablehlo.abs']);
  });

  it('is coloured in Python strings that say what they are', async () => {
    const text = [
      'a = r"""// mlir',
      '%0 = stablehlo.add %x',
      '"""',
      "b = parse('''module {",
      '%0 = stablehlo.abs %x',
      "}''')",
      '# stablehlo',
      'c = f(r"""',
      '%0 = stablehlo.sqrt %x',
      '""", 1)',
      'd = """func.func @f() { stablehlo.tan %x }"""',
      'e = parse("""',
      '',
      '  func.func @f() { stablehlo.sine %x }',
      '""", x=1)',
    ].join('\n');
    const names = ['stablehlo.add', 'stablehlo.abs', 'stablehlo.sqrt', 'func.func', 'stablehlo.tan', 'func.func', 'stablehlo.sine'];
    assert.deepEqual(await coloured(PYTHON, text), names);
  });

  it('is nothing that other strings and comments of Python are', async () => {
    const text = [
      'a = """',
      'stablehlo.no',
      '"""',
      'b = f"""module {stablehlo.no}"""',
      '# mlir',
      'c = 1',
      'd = """stablehlo.no"""',
      '# module """func.func stablehlo.no"""',
      'e = "module stablehlo.no"',
      'def g():',
      '  """',
      '  module stablehlo.no',
      '  """',
      '  h("""',
      '  words',
      '  module stablehlo.no',
      '  """)',
      'f = """The end"""',
    ].join('\n');
    const found = await tokens(PYTHON, text);
    assert.deepEqual(found.filter(({ scopes }) => scopes.some((scope) => scope.endsWith('.mlir'))), []);
    const end = found.find(({ text }) => text === 'The end');
    assert.ok(end?.scopes.some((scope) => scope.startsWith('string')), JSON.stringify(found.slice(-6)));
  });

  it('is what a cell of a notebook is that says so', async () => {
    assert.deepEqual(await coloured(PYTHON, '%%stablehlo\n%0 = stablehlo.add %x\n"""\nstablehlo.abs'), ['stablehlo.add', 'stablehlo.abs']);
  });
});
