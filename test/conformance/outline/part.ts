/** One part of the specification. */
export interface Part {
  readonly part: string
  readonly title: string
  /** Statements by a stable name. The id of a check consists of the part and this name. */
  readonly statements: Readonly<Record<string, Requirement>>
  /** Statements that no request under /tsp/v1 can check, each with the reason. */
  readonly unseen?: readonly string[]
}

/** Text of a statement, with its level unless that is MUST. */
export type Requirement = string | { readonly level: 'SHOULD' | 'MAY'; readonly description: string }

export const should = (description: string): Requirement => ({ level: 'SHOULD', description })

export const may = (description: string): Requirement => ({ level: 'MAY', description })

/** Returns one statement for each member of a record, as the rows of its table. */
export const members = (kind: string, names: string): Record<string, Requirement> =>
  Object.fromEntries(
    names
      .split(' ')
      .map((name) => [`${kind}-${kebab(name)}`, `\`${name}\` is present where required, and has its type`]),
  )

export const kebab = (name: string): string =>
  name.replaceAll(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`)
