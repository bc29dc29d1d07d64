/**
 * Session variables on which the statements rely. A server can start its sessions with other values: from its
 * configuration, from `SET GLOBAL`, or from `init_connect`.
 *
 * - `NAMES`: the encoding of every text.
 * - `autocommit` and `completion_type`: a statement outside a transaction reads the newest commits, and COMMIT ends its
 *   transaction. Otherwise an idle connection keeps a transaction, and its later reads miss the writes of others.
 * - `sql_mode`: the driver writes values into statements and escapes them with backslashes. Under
 *   `NO_BACKSLASH_ESCAPES` a value could end its own quotes.
 * - `unique_checks`: without them, InnoDB may store duplicates.
 * - `sql_select_limit`, `sql_big_selects` and the maximum depth of a recursive query: a read returns all rows.
 * - `sql_safe_updates`: updates may have conditions without an index.
 * - The maximum duration of a statement: migrations have none, because they may rewrite large tables.
 *
 * Only one server executes each comment: MySQL the first, MariaDB the second.
 */
const SET_VARIABLES = `SET NAMES utf8mb4 COLLATE utf8mb4_general_ci, completion_type = 'NO_CHAIN', autocommit = 1,
  sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', unique_checks = 1,
  sql_select_limit = 18446744073709551615, sql_big_selects = 1, sql_safe_updates = 0
  /*!80000 , cte_max_recursion_depth = 4294967295, max_execution_time = 0 */
  /*M!100600 , max_recursive_iterations = 4294967295, max_statement_time = 0 */`

/** MySQL and MariaDB have different names for these variables, but the same statement. */
const SET_TRANSACTION = 'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ WRITE'

/** First statements of every connection. Before them, a connection must not run a statement with values. */
export const SESSION_SETTINGS = [SET_VARIABLES, SET_TRANSACTION]

/**
 * Returns the first statements of a pooled connection. They also keep waits for locks short, and end a transaction or a
 * statement whose client is gone. MySQL ends only reads by itself.
 */
export const poolSettings = (maxStatementMs: number): readonly string[] => [
  `${SET_VARIABLES}, innodb_lock_wait_timeout = 3 /*!80000 , max_execution_time = ${Math.ceil(maxStatementMs)} */
    /*M!100600 , idle_transaction_timeout = 30, max_statement_time = ${maxStatementMs / 1000} */`,
  SET_TRANSACTION,
]

/**
 * Keeps a transaction from overwriting rows that changed after its snapshot. MySQL and some versions of MariaDB do not
 * have the variable.
 */
export const OPTIONAL_SETTING = 'SET SESSION innodb_snapshot_isolation = ON'
