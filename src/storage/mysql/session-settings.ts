/**
 * Sets the SQL modes of a connection, because the defaults of servers differ. The driver writes values into statements
 * and escapes them with backslashes: under `NO_BACKSLASH_ESCAPES` a value could end its own quotes. Every connection
 * must run this statement before its first statement with values.
 */
export const SET_SQL_MODE =
  "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'"

/**
 * First statements of every pooled connection. They keep waits for locks short. They keep a transaction from
 * overwriting rows that changed after its snapshot, and end a transaction whose client is gone. MySQL has only some of
 * these variables.
 */
export const SESSION_SETTINGS = [
  SET_SQL_MODE,
  'SET SESSION innodb_lock_wait_timeout = 3',
  'SET SESSION innodb_snapshot_isolation = ON',
  'SET SESSION idle_transaction_timeout = 30',
]
