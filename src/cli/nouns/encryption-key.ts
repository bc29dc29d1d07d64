import type { Command } from 'commander'
import { secretBox } from '../../auth/secret-box.ts'
import type { Config } from '../../config.ts'
import { keysInFile, makeKeyFile, newEncryptionKey, writeKeyFile } from '../../key-file.ts'
import { byOperator, remember } from '../../subgraphs/audit.ts'
import type { Output } from '../output.ts'
import type { Noun } from '../program.ts'
import { Refused } from '../refused.ts'
import { reseal, sealedUnder } from '../reseal.ts'
import { remembered, rememberedIfThere } from '../remember.ts'
import { type Tools, withConfig, withTools } from '../tools.ts'

export const encryptionKey: Noun = {
  addTo(noun: Command) {
    noun
      .command('new')
      .description('make a key and print it, or put it first in the key file')
      .option('--key-file', 'put it first in the key file of --data; the service takes it up at once')
      .action(withConfig(make))
    noun
      .command('status')
      .description('which keys there are, and how much is sealed under each')
      .action(withTools(status))
    noun
      .command('rotate')
      .description('seal everything under the current key while the service runs')
      .addHelpText('after', HOW)
      .action(withTools(rotate))
    noun
      .command('retire')
      .description('take the keys out of the key file that nothing is sealed under')
      .action(withTools(retire))
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
  await rememberedIfThere(config, output, {
    action: 'encryption_key.added',
    targetId: idOf(made),
    detail: {},
    async act() {
      writeKeyFile(config.dataDir, [made, ...keysInFile(config.dataDir)])
      return {}
    },
  })
  output.say('The key file has a new first key. `odograph encryption-key rotate` seals everything under it.')
}

function refuseGivenKey({ encryptionKey: given }: Config): void {
  if (given !== undefined)
    throw new Refused('ENCRYPTION_KEY is set, so the key file is not used: change the variable instead')
}

async function status(tools: Tools): Promise<void> {
  const keyIds = (await tools.secrets()).keyIds()
  const counts = await sealedUnder(tools)
  const unknown = [...counts.keys()].filter((id) => !keyIds.includes(id))
  tools.output.list([
    ...keyIds.map((id, at) => ({
      key: id,
      use: at === 0 ? 'current' : 'opens',
      sealed: counts.get(id) ?? 0,
    })),
    ...unknown.map((id) => ({ key: id, use: 'MISSING', sealed: counts.get(id) ?? 0 })),
  ])
}

const ROWS_PER_LINE = 1000

async function rotate(tools: Tools): Promise<void> {
  const secrets = await tools.secrets()
  const [current = ''] = secrets.keyIds()
  let told = 0
  const { resealed, unopened } = await reseal(
    { ...tools, secrets },
    (rows) => {
      if (rows < told + ROWS_PER_LINE) return
      told = rows
      tools.output.say(`${rows} rows`)
    },
    (tx) =>
      remember(tx, byOperator(tools.clock.now()), { action: 'encryption_key.rotated', targetId: current }),
  )
  const others = [...(await sealedUnder(tools))].filter(([id]) => id !== current)
  const left = others.reduce((sum, [, sealed]) => sum + sealed, 0)
  tools.output.one({ currentKey: current, resealedRows: resealed, underOtherKeys: left })
  if (unopened.length > 0)
    throw new Refused(
      `${unopened.length} rows are not opened by the keys here (${unopened.slice(0, 3).join(', ')}, …): ` +
        `keep every key, and give the missing ones (${others.map(([id]) => id).join(', ')}) in ENCRYPTION_KEYS_OLD`,
    )
  if (left > 0)
    throw new Refused(`${left} values came under another key meanwhile: keep the old key and rotate again`)
  tools.output.say(
    'Nothing is under another key: the old ones may be removed. Backups made before need them.',
  )
}

async function retire(tools: Tools): Promise<void> {
  const { config, output } = tools
  refuseGivenKey(config)
  const counts = await sealedUnder(tools)
  const keys = keysInFile(config.dataDir)
  const kept = keys.filter((key, at) => at === 0 || (counts.get(idOf(key)) ?? 0) > 0)
  if (kept.length < keys.length) {
    const removed = keys.filter((key) => !kept.includes(key)).map(idOf)
    await remembered(tools, {
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

const idOf = (key: Buffer): string => String(secretBox(key).keyIds()[0])
