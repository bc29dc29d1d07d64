import { KillableMariadb } from './killable-mariadb.ts'

const OPTIONS = [
  '--autocommit=0',
  '--completion-type=CHAIN',
  '--transaction-isolation=READ-UNCOMMITTED',
  '--character-set-server=latin1',
  '--skip-character-set-client-handshake',
]

/** Values that have no option. */
const GLOBALS = [
  'unique_checks = 0',
  'sql_select_limit = 2',
  'max_join_size = 3',
  'sql_safe_updates = 1',
  'max_recursive_iterations = 4',
  'max_statement_time = 60',
]

/** Statements that the server runs for each session, except for root. */
const INIT_CONNECT = `SET autocommit = 0, completion_type = 'RELEASE', NAMES latin1;
  SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ ONLY`

const TRANSACTIONS = 'SET STATEMENT sql_big_selects = 1 FOR SELECT * FROM information_schema.innodb_trx'

/** Starts a server whose sessions start with values that change the meaning of statements. */
export async function startUnusualMariadb(): Promise<KillableMariadb> {
  const server = await KillableMariadb.start([...OPTIONS, `--init-connect=${INIT_CONNECT}`])
  await server.query(`SET ${GLOBALS.map((variable) => `GLOBAL ${variable}`).join(', ')}`)
  return server
}

/** Returns the open transactions of a server. */
export const openTransactions = (server: KillableMariadb): Promise<object[]> => server.query(TRANSACTIONS)
