import type { Connection, RowDataPacket } from 'mysql2'
import type { DatabaseLog } from '../database.ts'
import { placeholders } from '../loaders/order-by-keys.ts'
import { DatabaseTimeout } from '../timeouts.ts'
import type { NodeAddress } from './failover.ts'

/** Statement that may still run on the server, although its connection is closed. */
export interface AbandonedStatement {
  /** Id of its connection on the server. */
  readonly connectionId: number
  /** SQL with placeholders. */
  readonly sql: string
  /** Node of the connection; null if the server is not a cluster. */
  readonly node: Readonly<NodeAddress> | null
}

/** Limit for all kills of one turn, connection included. */
const KILL_MS = 3000

/** MySQL error: no connection has the id, so the statement has ended. */
const UNKNOWN_CONNECTION = 1094

/**
 * Ends abandoned statements on the server. A server does not notice that a client is gone before it sends the result,
 * so it would finish the statement, and every retry would add one more. A connection outside the pool sends the kills,
 * one turn after another. A turn ends all statements that were abandoned until then.
 */
export class StatementKiller {
  private waiting: AbandonedStatement[] = []
  private turns: Promise<void> | null = null

  constructor(
    /** Opens a connection to a server. */
    private readonly connect: (node: Readonly<NodeAddress> | null) => Connection,
    private readonly log: DatabaseLog | undefined,
  ) {}

  /** Ends a statement in the background. A failure is logged. */
  kill(statement: AbandonedStatement): void {
    this.waiting.push(statement)
    this.turns ??= this.run()
  }

  /** Waits for the kills that have begun. */
  async close(): Promise<void> {
    await this.turns
  }

  private async run(): Promise<void> {
    for (let [first] = this.waiting; first; [first] = this.waiting) {
      const { node } = first
      const turn = this.waiting.filter((statement) => statement.node === node)
      this.waiting = this.waiting.filter((statement) => statement.node !== node)
      await killAll(this.connect(node), turn).catch((error: unknown) =>
        this.log?.warn({ err: error, statements: turn.length }, 'statement kill failed'),
      )
    }
    this.turns = null
  }
}

async function killAll(connection: Connection, abandoned: readonly AbandonedStatement[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseTimeout(KILL_MS)), KILL_MS)
    connection.on('error', reject)
  })
  try {
    await Promise.race([killRunning(connection, abandoned), timeout])
  } finally {
    clearTimeout(timer)
    connection.destroy()
  }
}

async function killRunning(connection: Connection, abandoned: readonly AbandonedStatement[]): Promise<void> {
  const running = await query(
    connection,
    `SELECT \`ID\` AS \`id\`, \`INFO\` AS \`sql\` FROM information_schema.PROCESSLIST
      WHERE \`ID\` IN (${placeholders(abandoned.length)}) AND \`INFO\` IS NOT NULL`,
    abandoned.map(({ connectionId }) => connectionId),
  )
  for (const { connectionId, sql } of abandoned)
    if (running.some((row) => Number(row['id']) === connectionId && isSame(String(row['sql']), sql)))
      await query(connection, `KILL ${connectionId}`).catch((error: unknown) => {
        if ((error as { errno?: number }).errno !== UNKNOWN_CONNECTION) throw error
      })
}

/**
 * Whether a running statement is the abandoned one, by the text before its first value. A server that restarted, or
 * another one behind the same address, uses the ids of connections again.
 */
const isSame = (running: string, sql: string): boolean =>
  running.trimStart().startsWith((sql.split('?', 1)[0] as string).trim())

const query = (
  connection: Connection,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<RowDataPacket[]> =>
  new Promise((resolve, reject) => {
    connection.query<RowDataPacket[]>(sql, parameters as unknown[], (error, rows) =>
      error ? reject(error) : resolve(rows),
    )
  })
