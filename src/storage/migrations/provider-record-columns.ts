/** Column and index definitions that tables share, for `createTable`. */

export const TENANT = `
  id ID NOT NULL
  applicationId ID NOT NULL
  connectionId ID NOT NULL`

/** Columns of every record of a provider: tenant, source, times of change, and hashes that detect changes. */
export const SOURCED = `${TENANT}
  sourceId TEXT NOT NULL
  provider ID NOT NULL
  addedAt INSTANT NOT NULL
  modifiedAt INSTANT NOT NULL
  deletedAt INSTANT NULL
  contentHash ID NOT NULL
  rawHash ID NOT NULL
  seenIn ID NULL`

/** Indexes for lists by id and by time of change, of one connection or of a whole application. */
export const SOURCED_KEYS = {
  primaryKey: ['id'],
  indexes: [
    ['applicationId', 'connectionId', 'id'],
    ['connectionId', 'modifiedAt', 'id'],
    ['applicationId', 'modifiedAt', 'id'],
  ],
} as const
