import type { CursorKey } from '../../storage/pagination/cursor.ts'
import type { Database } from '../../storage/database.ts'

/** Dependencies of a subgraph's repository, one set per process. Each request binds the repository to its caller. */
export interface RepositoryDeps {
  readonly db: Pick<Database, 'rows' | 'dialect'>
  /** Signs the cursors of pages. */
  readonly cursorKey: CursorKey
}
