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
      .description('create a key and print it, or make it the first of the key file')
      .option('--key-file', 'make it the first key of the key file in --data; the service uses it at once')
      .action(withConfig(make))
    group
      .command('status')
      .description(
        'list the keys, with the number of values that each encrypts; `opens`: the key only decrypts',
      )
      .action(withCommandContext(status))
    group
      .command('rotate')
      .description('encrypt everything with the current key while the service runs')
      .addHelpText('after', HOW)
      .action(withCommandContext(rotate))
    group
      .command('retire')
      .description('remove from the key file all old keys that encrypt nothing')
      .action(withCommandContext(retire))
  },
}

const HOW = `
With ENCRYPTION_KEY, every process must know both keys before the first one encrypts with the new key:
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
    output.say('The key is shown only once. `odograph encryption-key rotate --help` explains how to use it.')
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
  output.say(
    'The key file has a new first key. `odograph encryption-key rotate` encrypts everything with it.',
  )
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
  let reported = 0
  const { reencrypted, undecryptable } = await reencrypt(
    { ...context, secrets },
    (rows) => {
      if (rows < reported + ROWS_PER_LINE) return
      reported = rows
      context.output.say(`${rows} rows encrypted`)
    },
    (tx) =>
      recordAudit(tx, auditedByOperator(context.clock.now()), {
        action: 'encryption_key.rotated',
        targetId: current,
      }),
  )
  const others = [...(await countByKey(context))].filter(([id]) => id !== current)
  const left = others.reduce((sum, [, count]) => sum + count, 0)
  context.output.one({ currentKey: current, resealedRows: reencrypted, underOtherKeys: left })
  if (undecryptable.length > 0)
    throw new CliError(
      `${undecryptable.length} rows cannot be decrypted with the known keys (${undecryptable.slice(0, 3).join(', ')}, …): ` +
        `keep every key, and add the missing ones (${others.map(([id]) => id).join(', ')}) in ENCRYPTION_KEYS_OLD`,
    )
  if (left > 0)
    throw new CliError(
      `${left} values were encrypted with another key meanwhile: keep the old key and rotate again`,
    )
  context.output.say('No other key is in use: you can remove the old keys. Earlier backups still need them.')
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
