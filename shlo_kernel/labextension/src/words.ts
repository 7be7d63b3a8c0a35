/** The words of MLIR's text that have a colour of their own. */

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

export const KEYWORDS = set(
  'module func return call loc true false unit attributes init public private nested applies across ' +
    'dimensions cond do reducer dense sparse dense_resource array affine_map affine_set from to config ' +
    'else step iter_args'
);

export const TYPES = set(
  'tensor vector memref tuple complex index none bf16 tf32 f16 f32 f64 f80 f128'
);
