import type { CursorKey } from '../../storage/pagination/cursor.ts'
import type { Database } from '../../storage/database.ts'

/** What the reads of a subgraph are made of, once per process; per request they are bound to a caller. */
export interface RepositoryDeps {
  readonly db: Pick<Database, 'rows' | 'dialect'>
  /** Signs the cursors of pages. */
  readonly cursorKey: CursorKey
}
