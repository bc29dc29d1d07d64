/** Codes of MySQL, MariaDB and SQLite for a row whose key another row has. */
const DUPLICATE_KEY = /^(?:ER_DUP_ENTRY|SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY))$/

/** Whether a row was not inserted, because another row has the same key. */
export const isDuplicateKey = (error: unknown): boolean =>
  DUPLICATE_KEY.test(String((error as { readonly code?: unknown } | null)?.code))
