import type { Command } from 'commander'
import { listOf, moment, oneOfWords, wholeNumber } from '../arguments.ts'
import type { CommandGroup } from '../program.ts'
import { withCommandContext } from '../command-context.ts'
import { deliveries, recover, replay, test } from './webhook-deliveries.ts'
import { create, disable, enable, list, remove, rotate, show } from './webhook-endpoints.ts'

const APPLICATION = '--application app_01M7XZ3JF90H8EC8HYVB2R0P6F'
const ENDPOINT = 'whe_01M7XZ3JF90H8EC8HYVB2R0P6F'

export const webhooks: CommandGroup = {
  addTo(group: Command) {
    const command = (name: string, description: string, example?: string) => {
      const made = group
        .command(name)
        .description(description)
        .requiredOption('--application <id>', 'whose endpoints')
      return example === undefined
        ? made
        : made.addHelpText('after', `\nExample:\n  $ odograph webhooks ${example} ${APPLICATION}`)
    }
    command('list', 'where its events are sent to').action(withCommandContext(list))
    command('show <endpoint-id>', 'one endpoint, and how it fares').action(withCommandContext(show))
    command('create', 'make an endpoint', 'create --url https://example.com/hook')
      .requiredOption('--url <url>', 'where events are posted to')
      .option('--types <types>', 'which types, with commas; every one that is not opt-in without it', listOf)
      .option('--connections <ids>', 'of these connections, with commas', listOf)
      .option('--tags <tags>', 'of connections with one of these tags, with commas', listOf)
      .option('--description <text>', 'words for it')
      .option('--ordering <word>', 'none or resource', oneOfWords(['none', 'resource']))
      .option('--concurrency <n>', 'requests under way at once', wholeNumber(1, 100))
      .option('--rate <n>', 'requests a second at most', wholeNumber(1, 10_000))
      .action(withCommandContext(create))
    command('disable <endpoint-id>', 'send nothing more to it; what it wants waits').action(
      withCommandContext(disable),
    )
    command('enable <endpoint-id>', 'send to it again', `enable ${ENDPOINT}`)
      .option('--skip-missed', 'leave out what happened while it was disabled')
      .action(withCommandContext(enable))
    command('rotate <endpoint-id>', 'give it a new secret', `rotate ${ENDPOINT} --overlap 3600`)
      .option(
        '--overlap <seconds>',
        'sign with the secrets of before as well so long',
        wholeNumber(0, 604_800),
      )
      .action(withCommandContext(rotate))
    command('delete <endpoint-id>', 'delete it with its secrets and deliveries').action(
      withCommandContext(remove),
    )
    addDeliveries(command)
  },
}

type Made = (name: string, description: string, example?: string) => Command

const statuses = ['pending', 'delivered', 'failed', 'cancelled'] as const

function addDeliveries(command: Made): void {
  command('test <endpoint-id>', 'send it an example', `test ${ENDPOINT} --type vehicle.added`)
    .requiredOption('--type <type>', 'of which type of event')
    .action(withCommandContext(test))
  command('deliveries <endpoint-id>', 'what was sent to it, the newest first')
    .option('--status <status>', statuses.join(', '), oneOfWords(statuses))
    .option('--limit <n>', 'so many at most', wholeNumber(1, 1000), 50)
    .action(withCommandContext(deliveries))
  command('replay <delivery-id>', 'make a delivery again').action(withCommandContext(replay))
  command(
    'recover <endpoint-id>',
    'send it all that has not arrived',
    `recover ${ENDPOINT} --since 2026-01-31T12:00:00Z`,
  )
    .requiredOption('--since <time>', 'of what has happened since then', moment)
    .action(withCommandContext(recover))
}
