import type { Command } from 'commander'
import { createEncryption } from '../../auth/envelope-encryption.ts'
import type { Config } from '../../platform/config/config.ts'
import { readKeyFile, makeKeyFile, newEncryptionKey, writeKeyFile } from '../../platform/config/key-file.ts'
import { auditedByOperator, recordAudit } from '../../subgraphs/tables/audit-log.ts'
import type { Output } from '../output.ts'
import type { CommandGroup } from '../program.ts'
import { CliError } from '../cli-error.ts'
import { reencrypt, countByKey } from '../reencrypt.ts'
import { auditAction, auditActionIfPossible } from '../audited-action.ts'
import { type CommandContext, withConfig, withCommandContext } from '../command-context.ts'

export const encryptionKey: CommandGroup = {
  addTo(group: Command) {
    group
      .command('new')
      .description('make a key and print it, or put it first in the key file')
      .option('--key-file', 'put it first in the key file of --data; the service takes it up at once')
      .action(withConfig(make))
    group
      .command('status')
      .description('which keys there are, and how much is sealed under each')
      .action(withCommandContext(status))
    group
      .command('rotate')
      .description('seal everything under the current key while the service runs')
      .addHelpText('after', HOW)
      .action(withCommandContext(rotate))
    group
      .command('retire')
      .description('take the keys out of the key file that nothing is sealed under')
      .action(withCommandContext(retire))
  },
}

const HOW = `
With ENCRYPTION_KEY, every process must know both keys before the first seals under the new one:
  1. ENCRYPTION_KEYS_OLD=<new>, restart every process
  2. ENCRYPTION_KEY=<new> ENCRYPTION_KEYS_OLD=<old>, restart every process
  3. $ odograph encryption-key rotate
  4. remove ENCRYPTION_KEYS_OLD, restart every process
With a key file, while the service runs:
  $ odograph encryption-key new --key-file && odograph encryption-key rotate && odograph encryption-key retire`

async function make(config: Config, output: Output, options: { keyFile?: boolean }): Promise<void> {
  const key = newEncryptionKey()
  if (!options.keyFile) {
    output.one({ encryptionKey: key })
    output.say('Shown this once. `odograph encryption-key rotate --help` says how it is put to use.')
    return
  }
  refuseGivenKey(config)
  makeKeyFile(config.dataDir)
  const made = Buffer.from(key, 'base64')
  await auditActionIfPossible(config, output, {
    action: 'encryption_key.added',
    targetId: idOf(made),
    detail: {},
    async act() {
      writeKeyFile(config.dataDir, [made, ...readKeyFile(config.dataDir)])
      return {}
    },
  })
  output.say('The key file has a new first key. `odograph encryption-key rotate` seals everything under it.')
}

function refuseGivenKey({ encryptionKey: given }: Config): void {
  if (given !== undefined)
    throw new CliError('ENCRYPTION_KEY is set, so the key file is not used: change the variable instead')
}

async function status(context: CommandContext): Promise<void> {
  const keyIds = (await context.secrets()).keyIds()
  const counts = await countByKey(context)
  const unknown = [...counts.keys()].filter((id) => !keyIds.includes(id))
  context.output.list([
    ...keyIds.map((id, at) => ({
      key: id,
      use: at === 0 ? 'current' : 'opens',
      sealed: counts.get(id) ?? 0,
    })),
    ...unknown.map((id) => ({ key: id, use: 'MISSING', sealed: counts.get(id) ?? 0 })),
  ])
}

const ROWS_PER_LINE = 1000

async function rotate(context: CommandContext): Promise<void> {
  const secrets = await context.secrets()
  const [current = ''] = secrets.keyIds()
  let told = 0
  const { reencrypted, undecryptable } = await reencrypt(
    { ...context, secrets },
    (rows) => {
      if (rows < told + ROWS_PER_LINE) return
      told = rows
      context.output.say(`${rows} rows`)
    },
    (tx) =>
      recordAudit(tx, auditedByOperator(context.clock.now()), {
        action: 'encryption_key.rotated',
        targetId: current,
      }),
  )
  const others = [...(await countByKey(context))].filter(([id]) => id !== current)
  const left = others.reduce((sum, [, sealed]) => sum + sealed, 0)
  context.output.one({ currentKey: current, resealedRows: reencrypted, underOtherKeys: left })
  if (undecryptable.length > 0)
    throw new CliError(
      `${undecryptable.length} rows are not opened by the keys here (${undecryptable.slice(0, 3).join(', ')}, …): ` +
        `keep every key, and give the missing ones (${others.map(([id]) => id).join(', ')}) in ENCRYPTION_KEYS_OLD`,
    )
  if (left > 0)
    throw new CliError(`${left} values came under another key meanwhile: keep the old key and rotate again`)
  context.output.say(
    'Nothing is under another key: the old ones may be removed. Backups made before need them.',
  )
}

async function retire(context: CommandContext): Promise<void> {
  const { config, output } = context
  refuseGivenKey(config)
  const counts = await countByKey(context)
  const keys = readKeyFile(config.dataDir)
  const kept = keys.filter((key, at) => at === 0 || (counts.get(idOf(key)) ?? 0) > 0)
  if (kept.length < keys.length) {
    const removed = keys.filter((key) => !kept.includes(key)).map(idOf)
    await auditAction(context, {
      action: 'encryption_key.retired',
      detail: { removed },
      async act() {
        writeKeyFile(config.dataDir, kept)
        return {}
      },
    })
  }
  output.one({ removed: keys.length - kept.length, kept: kept.length })
}

const idOf = (key: Buffer): string => String(createEncryption(key).keyIds()[0])
