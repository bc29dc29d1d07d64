import type { Command } from 'commander'
import { keyHolder } from '../../auth/caller.ts'
import type { Id } from '../../domain/ids.ts'
import { toIso } from '../../domain/time.ts'
import type { Config } from '../../platform/config/config.ts'
import { tableOf } from '../../storage/sql/table.ts'
import {
  type CardNetwork,
  CardNetworkEndpoint,
  cardNetworks,
  type DefaultDecision,
  defaultDecisions,
} from '../../subgraphs/purchases/networks/card-network-endpoint.ts'
import { cardNetworkProtocols } from '../../subgraphs/purchases/networks/card-network-protocols.ts'
import {
  addCardNetworkEndpoint,
  removeCardNetworkEndpoint,
  updateCardNetworkEndpoint,
} from '../../subgraphs/purchases/networks/set-endpoints.ts'
import { applicationCommand, type ApplicationOption } from '../application-command.ts'
import { idOf, oneOfWords } from '../arguments.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { findApplicationById } from '../find-application.ts'
import type { Cells } from '../output.ts'
import { publicAddressOf } from '../public-address.ts'
import { readSecretFile } from '../secret-file.ts'

interface UpdateOptions extends ApplicationOption {
  readonly default?: DefaultDecision
  readonly secretFile?: string
}

type AddOptions = UpdateOptions & Required<Pick<UpdateOptions, 'default'>>

const table = tableOf(CardNetworkEndpoint)

/** Adds the commands for the endpoints to which card networks send authorizations. */
export function addNetworkCommands(group: Command): void {
  const networks = group
    .command('networks')
    .description('endpoints to which card networks send authorizations')
  applicationCommand(networks, 'add', 'add an endpoint for a card network')
    .argument('<network>', 'the card network: stripe or marqeta', oneOfWords(cardNetworks))
    .requiredOption(DEFAULT_OPTION, DEFAULT_TEXT, oneOfWords(defaultDecisions))
    .option(SECRET_OPTION, SECRET_TEXT)
    .addHelpText('after', HELP)
    .action(withCommandContext(add))
  applicationCommand(networks, 'list', 'list the endpoints').action(withCommandContext(list))
  applicationCommand(networks, 'update', 'change the secret of an endpoint, or its default decision')
    .argument(...ID_ARGUMENT)
    .option(DEFAULT_OPTION, DEFAULT_TEXT, oneOfWords(defaultDecisions))
    .option(SECRET_OPTION, SECRET_TEXT)
    .action(withCommandContext(update))
  applicationCommand(networks, 'remove', 'remove an endpoint: its messages are refused')
    .argument(...ID_ARGUMENT)
    .action(withCommandContext(remove))
}

const ID_ARGUMENT = ['<id>', 'the endpoint (cne_…)', idOf('cardNetworkEndpoint')] as const
const DEFAULT_OPTION = '--default <decision>'
const DEFAULT_TEXT = 'answer if a check does not decide: approve or decline'
const SECRET_OPTION = '--secret-file <path>'
const SECRET_TEXT =
  'file with the signing secret of Stripe, or user:password for Marqeta; - reads standard input'
const HELP = `
The address of the endpoint is printed. Enter it at the card network.
Stripe then shows a signing secret. Set it:
  $ odograph purchases networks add stripe --application app_01M7XZ3JF90H8EC8HYVB2R0P6F --default approve
  $ odograph purchases networks update cne_01M7XZ3JF90H8EC8HYVB2R0P6F \\
      --application app_01M7XZ3JF90H8EC8HYVB2R0P6F --secret-file -
For Marqeta, the command makes a user name and a password, or reads yours from --secret-file.
Enter them at Marqeta too:
  $ odograph purchases networks add marqeta --application app_01M7XZ3JF90H8EC8HYVB2R0P6F --default approve`

async function add(context: CommandContext, options: AddOptions, name: string): Promise<void> {
  const { application, default: defaultDecision } = options
  const network = name as CardNetwork
  await findApplicationById(context, application)
  const given = secretOf(options)
  const made = given === null ? cardNetworkProtocols[network].newSecret?.() : undefined
  const endpoint = await addCardNetworkEndpoint(await endpointDeps(context), keyHolder(application), {
    network,
    defaultDecision,
    secret: made ?? given,
  })
  print(context, endpoint, made)
}

async function list(
  { db, config, output }: CommandContext,
  { application }: ApplicationOption,
): Promise<void> {
  await findApplicationById({ db }, application)
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`card_network_endpoints\` WHERE \`applicationId\` = ? ORDER BY \`id\``,
    [application],
  )
  output.list(rows.map((row) => cells(config, table.toRow(row))))
}

async function update(context: CommandContext, options: UpdateOptions, id: string): Promise<void> {
  const { application, default: defaultDecision } = options
  const secret = secretOf(options)
  if (defaultDecision === undefined && secret === null)
    throw new CliError('nothing to change: give --secret-file, --default or both', 2)
  await findApplicationById(context, application)
  const change = { secret, ...(defaultDecision ? { defaultDecision } : {}) }
  const deps = await endpointDeps(context)
  print(context, await updateCardNetworkEndpoint(deps, keyHolder(application), id, change))
}

async function remove(
  context: CommandContext,
  { application }: ApplicationOption,
  id: Id<'cardNetworkEndpoint'>,
): Promise<void> {
  await findApplicationById(context, application)
  await removeCardNetworkEndpoint(context, keyHolder(application), id)
  context.output.say(`The endpoint ${id} is removed: remove it at the card network too.`)
}

const endpointDeps = async ({ db, clock, secrets }: CommandContext) => ({
  db,
  clock,
  secrets: await secrets(),
})

const secretOf = ({ secretFile }: UpdateOptions): string | null =>
  secretFile === undefined ? null : readSecretFile(secretFile)

function print({ config, output }: CommandContext, endpoint: CardNetworkEndpoint, madeSecret?: string): void {
  const [user, password] = madeSecret?.split(':') ?? []
  output.one({ ...cells(config, endpoint), ...(password === undefined ? {} : { user, password }) })
  if (password !== undefined) output.say('The password is shown only once: store it now.')
  if (endpoint.secretSealed === '')
    output.say('Its messages are refused until you set the signing secret: networks update --secret-file')
}

const cells = (config: Config, endpoint: CardNetworkEndpoint): Cells => ({
  id: endpoint.id,
  network: endpoint.network,
  url: `${publicAddressOf(config)}/card-networks/${endpoint.id}`,
  default: endpoint.defaultDecision,
  hasSecret: endpoint.secretSealed !== '',
  createdAt: toIso(endpoint.createdAt),
})
