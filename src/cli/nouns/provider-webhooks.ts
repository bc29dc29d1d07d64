import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Config } from '../../config.ts'
import { removeProviderWebhook } from '../../subgraphs/connections/provider-webhooks/remove-provider-webhook.ts'
import { setProviderWebhook } from '../../subgraphs/connections/provider-webhooks/set-provider-webhook.ts'
import { webhookAddress } from '../../subgraphs/connections/provider-webhooks/webhook-address.ts'
import { Refused } from '../refused.ts'
import { type Tools, withTools } from '../tools.ts'
import { callerFor } from './connection-of.ts'

interface Asked {
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
    .action(withTools(set))
  command('remove-provider-webhook', 'end that address: it leads nowhere any more').action(withTools(remove))
}

async function set(tools: Tools, { application, secretFile }: Asked, connectionId: string): Promise<void> {
  const secret = secretFile === undefined ? null : secretIn(secretFile)
  const caller = await callerFor(tools, connectionId, application)
  const { token, isReady } = await setProviderWebhook(await tools.writes(), caller, { connectionId, secret })
  tools.output.one({ id: connectionId, url: webhookAddress(addressOf(tools.config), token) })
  if (!isReady)
    tools.output.say(
      'Its messages are refused until you give the secret that they are signed with: --secret-file',
    )
}

async function remove(tools: Tools, { application }: Asked, connectionId: string): Promise<void> {
  const caller = await callerFor(tools, connectionId, application)
  await removeProviderWebhook(tools, caller, { connectionId })
  tools.output.say('Its address leads nowhere any more: remove it at the provider too.')
}

/** An argument would stand in the history of the shell, and in the list of processes. */
function secretIn(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8').trim()
  } catch (cause) {
    throw new Refused(`${path} cannot be read`, 2, { cause })
  }
}

/** As the service has it, where the settings say. */
const addressOf = ({ publicUrl, port }: Config): string => publicUrl ?? `http://localhost:${port}`
