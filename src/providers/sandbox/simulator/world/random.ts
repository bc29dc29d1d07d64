/** The same (seed, index, turn) always gives the same number in [0, 1). */
export type Dice = (seed: number, index: number, turn?: number) => number

/** A source of reproducible chance; two names give independent numbers. */
export function dice(name: string): Dice {
  const salt = hashText(0, name)
  return (seed, index, turn = 0) => hash(salt, seed, index, turn) / 2 ** 32
}

/** One of the choices, by a chance in [0, 1). */
export function pick<T>(choices: readonly T[], chance: number): T {
  const choice = choices[Math.floor(chance * choices.length)]
  if (choice === undefined) throw new RangeError('nothing to pick from')
  return choice
}

/** One of the choices, each as likely as its weight. */
export function pickWeighted<T extends { readonly weight: number }>(
  choices: readonly T[],
  chance: number,
): T {
  let rest = chance * choices.reduce((sum, choice) => sum + choice.weight, 0)
  for (const choice of choices) {
    rest -= choice.weight
    if (rest < 0) return choice
  }
  return pick(choices, 0)
}

export function between(low: number, high: number, chance: number): number {
  return low + (high - low) * chance
}

/** That many decimal digits, of which the first is not 0. */
export function digits(count: number, chance: number): string {
  const lowest = 10 ** (count - 1)
  return String(Math.floor(between(lowest, 10 * lowest, chance)))
}

export function hashText(seed: number, text: string): number {
  let h = seed ^ 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return scramble(h)
}

function hash(salt: number, seed: number, index: number, turn: number): number {
  return scramble(scramble(scramble(salt ^ seed) ^ index) + Math.imul(turn, 0x9e3779b1))
}

/** Murmur3's last step: every bit in moves about half of the bits out. */
function scramble(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
