interface Person {
  readonly firstName?: string | null
  readonly lastName?: string | null
}

/** Name of a driver; empty if it is unknown. */
export const personName = (person: Person | null | undefined): string =>
  [person?.firstName, person?.lastName].filter(Boolean).join(' ')
