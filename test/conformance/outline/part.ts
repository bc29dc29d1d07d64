/** One part of the specification. */
export interface Part {
  readonly part: string
  readonly title: string
  /** Statements by a stable name: the id of a check is the part and this name. */
  readonly statements: Readonly<Record<string, Says>>
  /** Statements of the part that no request under /tsp/v1 can show, with the reason. */
  readonly unseen?: readonly string[]
}

export type Says = string | { readonly level: 'SHOULD' | 'MAY'; readonly description: string }

export const should = (description: string): Says => ({ level: 'SHOULD', description })

export const may = (description: string): Says => ({ level: 'MAY', description })

/** Returns one statement for each member of a record, as the rows of its table. */
export const members = (kind: string, names: string): Record<string, Says> =>
  Object.fromEntries(
    names
      .split(' ')
      .map((name) => [`${kind}-${kebab(name)}`, `\`${name}\` is present where required, and has its type`]),
  )

export const kebab = (name: string): string =>
  name.replaceAll(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`)
