import type { Random } from './random.ts'

/** Values that callers send by mistake or on purpose. */

const NUL = String.fromCharCode(0)

export const strangeTexts: readonly string[] = [
  ['', ' ', '  x  ', 'null', 'undefined', 'true', 'NaN', 'Infinity', '[object Object]', NUL, `a${NUL}b`],
  [
    '💥',
    'ÀÈ',
    'e\u0301',
    '\u202Eabc',
    '\uFEFF',
    '１２',
    'ｖｃｌ',
    'İ',
    'ß',
    '\u0000\u0001\u001f',
    '\n',
    '\r\nX: y',
  ],
  ["' OR 1=1 --", '"; DROP TABLE vehicles; --', "\\'", '`id`', '%', '_', '%%', '\\', '${7*7}', '{{7*7}}'],
  ['<script>alert(1)</script>', '../../etc/passwd', '..%2f', '%00', '%zz', 'file:///etc/passwd', '$where'],
  ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '[]', '{}', '[[', '{"a":1}'],
  ['x'.repeat(300), 'x'.repeat(5000), ','.repeat(60), 'a,b,c', ',', ',,', '🚚'.repeat(200)],
].flat()

export const strangeNumbers: readonly string[] = [
  ['0', '-0', '-1', '1.5', '1e3', '1e400', '-1e400', '0x10', '010', '+5', '5.', '.5', '1_000', '1,000'],
  ['2147483647', '2147483648', '4294967296', '9007199254740993', '9223372036854775808', '9'.repeat(400)],
].flat()

export const strangeTimes: readonly string[] = [
  [
    '2026-02-30T00:00:00Z',
    '2026-02-30',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ],
  ['10000-01-01T00:00:00Z', '+275760-09-13T00:00:00Z', '-000001-01-01T00:00:00Z', '2026-01-01T24:00:00Z'],
  ['2026-06-30T23:59:60Z', '2026-01-01T00:00:00', '2026-01-01T00:00:00+14:00', '2026-01-01T00:00:00-23:59'],
  [
    '2026-01-01T00:00:00+99:99',
    '2026-01-01T00:00:00.123456789Z',
    '2026-1-1',
    '2026-13-01',
    '2026-00',
    '2026-13',
  ],
  ['1767225600', '1767225600000', 'yesterday', '2026-01-01 00:00:00Z', '2026-W01-1', '0000-00', '0000-01'],
].flat()

/** Ids of all kinds, and nearly valid ids. */
export const strangeIds: readonly string[] = [
  [
    'vcl',
    'drv',
    'trp',
    'group',
    'dvc',
    'conn',
    'sync',
    'sft_evt',
    'hos_log',
    'fc_evt',
    'isu',
    'trl',
    'evt',
  ].map((prefix) => `${prefix}_01J8ZQ4N5R8X2V6T3W1Y7K9M0P`),
  [
    'vcl_',
    'vcl',
    '_01J8ZQ4N5R8X2V6T3W1Y7K9M0P',
    'vcl_01j8zq4n5r8x2v6t3w1y7k9m0p',
    'vcl_81J8ZQ4N5R8X2V6T3W1Y7K9M0P',
  ],
  ['vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0', 'vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0PP', 'vcl_01J8ZQ4N5R8X2V6T3W1Y7K9M0U'],
  Array.from({ length: 51 }, (_, at) => `vcl_01J8ZQ4N5R8X2V6T3W1Y7K${String(at).padStart(4, '0')}`).join(','),
  Array.from({ length: 51 }, (_, at) => `drv_01J8ZQ4N5R8X2V6T3W1Y7K${String(at).padStart(4, '0')}`).join(','),
].flat()

export const strangeText = (random: Random): string =>
  random.pick(random.pick([strangeTexts, strangeNumbers, strangeTimes, strangeIds]))

/** Returns a text that is truncated, longer, or has one changed character. */
export function altered(random: Random, text: string): string {
  const at = random.below(text.length + 1)
  return random.pick([
    text.slice(0, at),
    text.slice(at),
    `${text.slice(0, at)}${random.pick(['x', '%', ',', ' ', '💥', '0'])}${text.slice(at)}`,
    `${text.slice(0, at)}${random.pick(['A', 'z', '9', '-'])}${text.slice(at + 1)}`,
    text.toUpperCase(),
    text.toLowerCase(),
    text + text,
    ` ${text}`,
  ])
}

/** Returns any JSON value as text, including forms that JSON.stringify never writes. */
export function strangeJson(random: Random, depth = 0): string {
  const scalars = [
    () => JSON.stringify(strangeText(random)),
    () =>
      random.pick(
        strangeNumbers.filter((text) => /^-?\d+(\.\d+)?(e\d+)?$/.test(text) && !/^-?0\d/.test(text)),
      ),
    () => random.pick(['null', 'true', 'false', '[]', '{}', '-0', '"\\ud800"', '""']),
  ]
  const nested = [
    () => `[${Array.from({ length: random.below(4) }, () => strangeJson(random, depth + 1)).join(',')}]`,
    () => `{${Array.from({ length: random.below(4) }, () => member(random, depth)).join(',')}}`,
  ]
  return random.pick(depth > 2 ? scalars : [...scalars, ...nested])()
}

const member = (random: Random, depth: number): string =>
  `${JSON.stringify(random.pick(['__proto__', 'constructor', 'a', 'status', 'id', '', strangeText(random)]))}:${strangeJson(random, depth + 1)}`

/** Bodies that are invalid for every operation. */
export const brokenBodies: readonly string[] = [
  [
    '',
    ' ',
    '{',
    '}',
    '[',
    '{"a":',
    '{"a":1,}',
    "{'a':1}",
    'undefined',
    'NaN',
    '\uFEFF{}',
    '{"a":1}{"b":2}',
    '//',
  ],
  [
    'null',
    '[]',
    '7',
    '"text"',
    'true',
    '{"a":1e400}',
    '{"a":"\\ud800"}',
    '{"a":1,"a":2}',
    '{"__proto__":{"x":1}}',
  ],
  '['.repeat(5000),
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
  `{${Array.from({ length: 3000 }, (_, at) => `"k${at}":${at}`).join(',')}}`,
  `{"publicToken":"${'x'.repeat(110_000)}"}`,
].flat()
