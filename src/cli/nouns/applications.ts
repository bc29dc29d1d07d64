import type { Command } from 'commander'
import type { Environment } from '../../auth/keys.ts'
import { toIso } from '../../time.ts'
import { tableOf } from '../../storage/table.ts'
import { Application } from '../../subgraphs/connections/applications/application.ts'
import { createApplication } from '../../subgraphs/connections/applications/create-application.ts'
import { oneOfWords } from '../arguments.ts'
import { keyCells, keysOf } from './keys.ts'
import type { Noun } from '../program.ts'
import { Refused } from '../refused.ts'
import { type Tools, withTools } from '../tools.ts'

const table = tableOf(Application)

export const applications: Noun = {
  addTo(noun: Command) {
    noun.command('list').description('every application').action(withTools(list))
    noun
      .command('create <name>')
      .description('make one, with its first pair of keys')
      .option('--environment <word>', 'prod or sandbox', oneOfWords(['prod', 'sandbox']), 'prod')
      .addHelpText('after', "\nExample:\n  $ odograph applications create 'Fleet Software Inc.'")
      .action(withTools(create))
    noun.command('show <id>').description('one with its keys').action(withTools(show))
  },
}

async function list({ db, output }: Tools): Promise<void> {
  const rows = await db.rows<Application & { keys: number; connections: number }>(
    `SELECT ${table.selected},
      (SELECT COUNT(*) FROM \`api_keys\` AS k WHERE k.\`applicationId\` = a.\`id\` AND k.\`revokedAt\` IS NULL) AS \`keys\`,
      (SELECT COUNT(*) FROM \`connections\` AS c WHERE c.\`applicationId\` = a.\`id\`) AS \`connections\`
      FROM \`applications\` AS a ORDER BY \`id\``,
  )
  output.list(rows.map((row) => ({ ...cells(row), keys: row.keys, connections: row.connections })))
}

async function create(
  { db, output, clock }: Tools,
  { environment }: { environment: Environment },
  name: string,
): Promise<void> {
  if (name.length > LONGEST_NAME) throw new Refused(`a name has ${LONGEST_NAME} characters at most`, 2)
  const made = await createApplication(db, { name, environment, now: clock.now() })
  const { secretKey, publishableKey } = made
  output.one({ ...cells(made.application), secretKey, publishableKey })
  output.say('The secret key is shown this once: keep it now.')
}

const LONGEST_NAME = 255

async function show({ db, output }: Tools, _options: object, id: string): Promise<void> {
  const application = await applicationOf({ db }, id)
  const statuses = await db.rows<{ status: string; connections: number }>(
    'SELECT `status`, COUNT(*) AS `connections` FROM `connections` WHERE `applicationId` = ? GROUP BY `status`',
    [id],
  )
  const keys = await keysOf({ db }, id)
  output.one({ ...cells(application), connections: statuses, keys: keys.map(keyCells) })
}

/** An application, or a refusal that says where its id is found. */
export async function applicationOf({ db }: Pick<Tools, 'db'>, id: string): Promise<Application> {
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`applications\` WHERE \`id\` = ?`,
    [id],
  )
  if (!row) throw new Refused(`there is no application ${id}: \`odograph applications list\` names them`)
  return table.toRow(row)
}

const cells = ({ id, name, environment, createdAt }: Application) => ({
  id,
  name,
  environment,
  createdAt: toIso(createdAt),
})
