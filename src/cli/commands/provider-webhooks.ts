import type { Command } from 'commander'
import { removeProviderWebhook } from '../../subgraphs/connections/provider-webhooks/remove-provider-webhook.ts'
import { setProviderWebhook } from '../../subgraphs/connections/provider-webhooks/set-provider-webhook.ts'
import { webhookUrl } from '../../subgraphs/connections/provider-webhooks/webhook-url.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { callerOfConnection } from '../find-connection.ts'
import { publicAddressOf } from '../public-address.ts'
import { readSecretFile } from '../secret-file.ts'

interface WebhookOptions {
  readonly application?: string
  readonly secretFile?: string
}

type AddCommand = (name: string, description: string) => Command

/** Adds the commands for the address to which a provider sends webhooks when its data has changed. */
export function addProviderWebhooks(command: AddCommand): void {
  command(
    'provider-webhook',
    'print the address to which the provider can send webhooks; the first call creates it',
  )
    .option('--secret-file <path>', 'file with the secret that signs the webhooks; - reads standard input')
    .addHelpText(
      'after',
      '\nExample:\n  $ odograph connections provider-webhook conn_01M7XZ3JF90H8EC8HYVB2R0P6F --secret-file secret.txt',
    )
    .action(withCommandContext(set))
  command('remove-provider-webhook', 'remove the address to which the provider can send webhooks').action(
    withCommandContext(remove),
  )
}

async function set(
  context: CommandContext,
  { application, secretFile }: WebhookOptions,
  connectionId: string,
): Promise<void> {
  const secret = secretFile === undefined ? null : readSecretFile(secretFile)
  const caller = await callerOfConnection(context, connectionId, application)
  const { token, isReady } = await setProviderWebhook(await context.writes(), caller, {
    connectionId,
    secret,
  })
  context.output.one({ id: connectionId, url: webhookUrl(publicAddressOf(context.config), token) })
  if (!isReady) context.output.say('Its webhooks are refused until you set the signing secret: --secret-file')
}

async function remove(
  context: CommandContext,
  { application }: WebhookOptions,
  connectionId: string,
): Promise<void> {
  const caller = await callerOfConnection(context, connectionId, application)
  await removeProviderWebhook(context, caller, { connectionId })
  context.output.say('The address is removed: remove it at the provider too.')
}
