/** What one part of the specification says. */
export interface Part {
  readonly part: string
  readonly title: string
  /** By a name that stays: the id of a check is the part and this name. */
  readonly statements: Readonly<Record<string, Says>>
  /** What the part says besides that no request under /tsp/v1 can show, and why. */
  readonly unseen?: readonly string[]
}

export type Says = string | { readonly level: 'SHOULD' | 'MAY'; readonly says: string }

export const should = (says: string): Says => ({ level: 'SHOULD', says })

export const may = (says: string): Says => ({ level: 'MAY', says })

/** One statement for each member of a record, as the rows of its table. */
export const members = (kind: string, names: string): Record<string, Says> =>
  Object.fromEntries(
    names
      .split(' ')
      .map((name) => [`${kind}-${kebab(name)}`, `\`${name}\` is there where it must be, and of its type`]),
  )

export const kebab = (name: string): string =>
  name.replaceAll(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`)
