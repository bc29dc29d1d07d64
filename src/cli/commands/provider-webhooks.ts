import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Config } from '../../platform/config/config.ts'
import { removeProviderWebhook } from '../../subgraphs/connections/provider-webhooks/remove-provider-webhook.ts'
import { setProviderWebhook } from '../../subgraphs/connections/provider-webhooks/set-provider-webhook.ts'
import { webhookUrl } from '../../subgraphs/connections/provider-webhooks/webhook-url.ts'
import { CliError } from '../cli-error.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { callerOfConnection } from '../find-connection.ts'

interface WebhookOptions {
  readonly application?: string
  readonly secretFile?: string
}

type AddCommand = (name: string, says: string) => Command

/** Where the provider of a connection tells that there is something new. */
export function addProviderWebhooks(command: AddCommand): void {
  command('provider-webhook', 'print the address to which its provider can send webhooks; it is made once')
    .option(
      '--secret-file <path>',
      'with the secret that the provider signs them with; - reads standard input',
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ odograph connections provider-webhook conn_01M7XZ3JF90H8EC8HYVB2R0P6F --secret-file secret.txt',
    )
    .action(withCommandContext(set))
  command('remove-provider-webhook', 'end that address: it leads nowhere any more').action(
    withCommandContext(remove),
  )
}

async function set(
  context: CommandContext,
  { application, secretFile }: WebhookOptions,
  connectionId: string,
): Promise<void> {
  const secret = secretFile === undefined ? null : secretIn(secretFile)
  const caller = await callerOfConnection(context, connectionId, application)
  const { token, isReady } = await setProviderWebhook(await context.writes(), caller, {
    connectionId,
    secret,
  })
  context.output.one({ id: connectionId, url: webhookUrl(addressOf(context.config), token) })
  if (!isReady)
    context.output.say(
      'Its messages are refused until you give the secret that they are signed with: --secret-file',
    )
}

async function remove(
  context: CommandContext,
  { application }: WebhookOptions,
  connectionId: string,
): Promise<void> {
  const caller = await callerOfConnection(context, connectionId, application)
  await removeProviderWebhook(context, caller, { connectionId })
  context.output.say('Its address leads nowhere any more: remove it at the provider too.')
}

/** An argument would stand in the history of the shell, and in the list of processes. */
function secretIn(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8').trim()
  } catch (cause) {
    throw new CliError(`${path} cannot be read`, 2, { cause })
  }
}

/** As the service has it, where the settings say. */
const addressOf = ({ publicUrl, port }: Config): string => publicUrl ?? `http://localhost:${port}`
