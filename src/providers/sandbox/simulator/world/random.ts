/** Returns a random number in [0, 1). The same arguments always give the same number. */
export type Dice = (seed: number, index: number, draw?: number) => number

/** Creates a source of reproducible random numbers. Sources with different names are independent. */
export function dice(name: string): Dice {
  const salt = hashText(0, name)
  return (seed, index, draw = 0) => hash(salt, seed, index, draw) / 2 ** 32
}

/** Returns the choice that a random number in [0, 1) selects. */
export function pick<T>(choices: readonly T[], random: number): T {
  const choice = choices[Math.floor(random * choices.length)]
  if (choice === undefined) throw new RangeError('There are no choices to pick from')
  return choice
}

/** Returns the choice that a random number in [0, 1) selects, with a probability proportional to its weight. */
export function pickWeighted<T extends { readonly weight: number }>(
  choices: readonly T[],
  random: number,
): T {
  let remainingWeight = random * choices.reduce((sum, choice) => sum + choice.weight, 0)
  for (const choice of choices) {
    remainingWeight -= choice.weight
    if (remainingWeight < 0) return choice
  }
  return pick(choices, 0)
}

/** Returns the number in [low, high) that a random number in [0, 1) selects. */
export function between(low: number, high: number, random: number): number {
  return low + (high - low) * random
}

/** Returns the number of `count` decimal digits that a random number in [0, 1) selects. The first is not 0. */
export function digits(count: number, random: number): string {
  const lowest = 10 ** (count - 1)
  return String(Math.floor(between(lowest, 10 * lowest, random)))
}

/** Returns a hash of 32 bits: FNV-1a, whose bits are then mixed. */
export function hashText(seed: number, text: string): number {
  let h = seed ^ 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return scramble(h)
}

function hash(salt: number, seed: number, index: number, draw: number): number {
  return scramble(scramble(scramble(salt ^ seed) ^ index) + Math.imul(draw, 0x9e3779b1))
}

/** Mixes bits with the final step of Murmur3: each input bit changes about half of the output bits. */
function scramble(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
