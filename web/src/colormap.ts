// Numbers as colours: scales, and the palettes of shlo/runner/tensors/colormap.py.

import { MARK, type Statistics } from './plane';

export const SCALES = ['linear', 'log', 'robust', 'diverging'] as const;
export type ScaleName = (typeof SCALES)[number];
export type Color = readonly [number, number, number];

const LEVELS = 256;

/** Colours in Oklab that a palette goes through, at equal distances. */
export const ANCHORS = {
  sequential: [[0.22, 0.01, -0.09], [0.47, -0.03, -0.11], [0.72, -0.06, 0.03], [0.96, -0.02, 0.13]],
  diverging: [[0.38, -0.02, -0.17], [0.68, -0.04, -0.09], [0.96, 0.0, 0.0], [0.68, 0.07, 0.11], [0.38, 0.08, 0.08]],
} as const;

/** The colours of what is no number, which no palette has. */
export const MARK_COLORS: Readonly<Record<number, Color>> = {
  [MARK.nan]: [213, 0, 200],
  [MARK.positive]: [0, 158, 115],
  [MARK.negative]: [0, 0, 0],
};

export const PALETTES = { sequential: palette(ANCHORS.sequential), diverging: palette(ANCHORS.diverging) };

function palette(anchors: readonly Color[]): readonly Color[] {
  return Array.from({ length: LEVELS }, (_, level) => {
    const at = (level * (anchors.length - 1)) / (LEVELS - 1);
    const first = Math.min(Math.floor(at), anchors.length - 2);
    const mix = (part: 0 | 1 | 2) => anchors[first]![part] * (first + 1 - at) + anchors[first + 1]![part] * (at - first);
    return fromOklab(mix(0), mix(1), mix(2));
  });
}

function fromOklab(lightness: number, a: number, b: number): Color {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    encoded(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    encoded(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    encoded(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short),
  ];
}

function encoded(linear: number): number {
  const clipped = Math.min(Math.max(linear, 0), 1);
  return Math.round(255 * (clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055));
}

/** Which numbers have which level, 0 to 1, and what stands at the ends of a legend. */
export interface Scale {
  readonly palette: keyof typeof PALETTES;
  readonly low: number;
  readonly high: number;
  level(number: number): number;
}

/** The scale that shows most of a tensor: around 0 where it has both signs. */
export function bestScale({ low, high }: Statistics): ScaleName {
  return low !== null && high !== null && low < 0 && high > 0 ? 'diverging' : 'linear';
}

/** A scale of a tensor. Logarithms are those of magnitudes; of numbers of both signs, on either side of 0. */
export function scaleOf(name: ScaleName, { low, high, quantiles, least }: Statistics): Scale {
  if (low === null || high === null) return linear(0, 0, 'sequential');
  if (name === 'diverging') return around(Math.max(Math.abs(low), Math.abs(high)));
  if (name === 'log') return logarithmic(low, high, least);
  const [first, last] = [quantiles?.[0] ?? low, quantiles?.[1] ?? high];
  if (name === 'linear' || !(first < last)) return linear(low, high, 'sequential');
  return low < 0 && high > 0 ? around(Math.max(Math.abs(first), Math.abs(last))) : linear(first, last, 'sequential');
}

function around(limit: number): Scale {
  return linear(-limit, limit, 'diverging');
}

function linear(low: number, high: number, palette: Scale['palette']): Scale {
  const extent = high / 2 - low / 2; // halves: the difference of two huge numbers is no infinity
  return { palette, low, high, level: (number) => (extent > 0 ? clipped((number / 2 - low / 2) / extent) : 0.5) };
}

function logarithmic(low: number, high: number, least: number | null): Scale {
  const most = Math.max(Math.abs(low), Math.abs(high));
  const from = Math.log(least ?? most);
  const extent = Math.log(most) - from;
  const part = (number: number) => (number === 0 ? 0 : extent > 0 ? clipped((Math.log(Math.abs(number)) - from) / extent) : 1);
  if (low >= 0) return { palette: 'sequential', low: least ?? 0, high, level: part };
  return { palette: 'diverging', low: -most, high: most, level: (number) => 0.5 + Math.sign(number) * (0.05 + 0.45 * part(number)) };
}

function clipped(level: number): number {
  return Math.min(Math.max(level, 0), 1);
}

/** The colour of a cell. */
export function colorOf(scale: Scale, number: number, mark: number): Color {
  return MARK_COLORS[mark] ?? PALETTES[scale.palette][Math.round(scale.level(number) * (LEVELS - 1))] ?? [128, 128, 128];
}

/** The colour of letters on another: black or white, whichever has more contrast. */
export function ink(color: Color): '#000' | '#fff' {
  const [red, green, blue] = color.map((part) => (part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  return luminance > 0.179 ? '#000' : '#fff';
}

export function rgb(color: Color): string {
  return `rgb(${color.join(', ')})`;
}
