/** Columns and indexes that tables share, in the words of `createTable`. */

export const TENANT = `
  id ID NOT NULL
  applicationId ID NOT NULL
  connectionId ID NOT NULL`

/** What every record from a provider has (interface 2.2, `metadata`), and the write side's bookkeeping. */
export const SOURCED = `${TENANT}
  sourceId TEXT NOT NULL
  provider ID NOT NULL
  addedAt INSTANT NOT NULL
  modifiedAt INSTANT NOT NULL
  deletedAt INSTANT NULL
  contentHash ID NOT NULL
  rawHash ID NOT NULL
  seenIn ID NULL`

/** A list is read by id, or by the time of change, of one connection or of all of an application. */
export const SOURCED_KEYS = {
  primaryKey: ['id'],
  indexes: [
    ['applicationId', 'connectionId', 'id'],
    ['connectionId', 'modifiedAt', 'id'],
    ['applicationId', 'modifiedAt', 'id'],
  ],
} as const
