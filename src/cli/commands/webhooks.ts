import type { Command } from 'commander'
import { parseCommaSeparated, parseTime, oneOfWords, wholeNumberBetween } from '../arguments.ts'
import { applicationCommand } from '../application-command.ts'
import type { CommandGroup } from '../program.ts'
import { withCommandContext } from '../command-context.ts'
import { deliveries, recover, replay, test } from './webhook-deliveries.ts'
import { create, disable, enable, list, remove, rotate, show, update } from './webhook-endpoints.ts'
import { addHeaderOptions } from './webhook-headers.ts'

const APPLICATION = '--application app_01M7XZ3JF90H8EC8HYVB2R0P6F'
const ENDPOINT = 'whe_01M7XZ3JF90H8EC8HYVB2R0P6F'

export const webhooks: CommandGroup = {
  addTo(group: Command) {
    const command = (name: string, description: string, example?: string) => {
      const added = applicationCommand(group, name, description)
      return example === undefined
        ? added
        : added.addHelpText('after', `\nExample:\n  $ odograph webhooks ${example} ${APPLICATION}`)
    }
    command('list', 'list the endpoints').action(withCommandContext(list))
    command('show <endpoint-id>', 'show an endpoint with its backlog and health').action(
      withCommandContext(show),
    )
    addSettings(
      command('create', 'create an endpoint', 'create --url https://example.com/hook').requiredOption(
        '--url <url>',
        'address that receives events',
      ),
    ).action(withCommandContext(create))
    addSettings(
      command(
        'update <endpoint-id>',
        'change settings of an endpoint; those that you omit stay unchanged',
        `update ${ENDPOINT} --header 'X-Api-Key: …'`,
      ).option('--url <url>', 'address that receives events'),
    )
      .option('--remove-headers', 'remove all headers')
      .action(withCommandContext(update))
    command('disable <endpoint-id>', 'stop sending; events wait until the endpoint is enabled').action(
      withCommandContext(disable),
    )
    command('enable <endpoint-id>', 'resume sending', `enable ${ENDPOINT}`)
      .option('--skip-missed', 'skip the events that occurred while it was disabled')
      .action(withCommandContext(enable))
    command('rotate <endpoint-id>', 'create a new secret', `rotate ${ENDPOINT} --overlap 3600`)
      .option(
        '--overlap <seconds>',
        'how long to sign with the old secrets too',
        wholeNumberBetween(0, 604_800),
      )
      .action(withCommandContext(rotate))
    command('delete <endpoint-id>', 'delete an endpoint with its secrets and deliveries').action(
      withCommandContext(remove),
    )
    addDeliveries(command)
  },
}

const addSettings = (command: Command): Command =>
  addHeaderOptions(
    command
      .option(
        '--types <types>',
        'event types, separated by commas; by default all that are not opt-in',
        parseCommaSeparated,
      )
      .option(
        '--connections <ids>',
        'only events of these connections, separated by commas',
        parseCommaSeparated,
      )
      .option(
        '--tags <tags>',
        'only events of connections with one of these tags, separated by commas',
        parseCommaSeparated,
      )
      .option('--description <text>', 'description')
      .option(
        '--ordering <word>',
        'none, or resource: an event waits for the previous event of its record',
        oneOfWords(['none', 'resource']),
      )
      .option('--concurrency <n>', 'maximum number of concurrent requests', wholeNumberBetween(1, 100))
      .option('--rate <n>', 'maximum number of requests a second', wholeNumberBetween(1, 10_000)),
  )

type AddCommand = (name: string, description: string, example?: string) => Command

const statuses = ['pending', 'delivered', 'failed', 'cancelled'] as const

function addDeliveries(command: AddCommand): void {
  command('test <endpoint-id>', 'send an example event', `test ${ENDPOINT} --type vehicle.added`)
    .requiredOption('--type <type>', 'event type')
    .action(withCommandContext(test))
  command('deliveries <endpoint-id>', 'list the deliveries of an endpoint, newest first')
    .option('--status <status>', statuses.join(', '), oneOfWords(statuses))
    .option('--limit <n>', 'maximum number of deliveries', wholeNumberBetween(1, 1000), 50)
    .action(withCommandContext(deliveries))
  command('replay <delivery-id>', 'repeat a delivery').action(withCommandContext(replay))
  command(
    'recover <endpoint-id>',
    'send all events again that were not delivered',
    `recover ${ENDPOINT} --since 2026-01-31T12:00:00Z`,
  )
    .requiredOption('--since <time>', 'only events since this time', parseTime)
    .action(withCommandContext(recover))
}
