/** Returns the JSON of a value, with the members of each object in the order of their names. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sortMembers)

const sortMembers = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value
