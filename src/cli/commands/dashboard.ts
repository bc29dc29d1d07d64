import type { Command } from 'commander'
import { toIso } from '../../domain/time.ts'
import { createSignInLink } from '../../subgraphs/connections/sessions/create-sign-in-link.ts'
import { operatorActor } from '../../subgraphs/tables/audit-log.ts'
import { applicationCommand, type ApplicationOption } from '../application-command.ts'
import { type CommandContext, withCommandContext } from '../command-context.ts'
import { findApplicationById } from '../find-application.ts'
import type { CommandGroup } from '../program.ts'
import { publicAddressOf } from '../public-address.ts'

interface LinkOptions extends ApplicationOption {
  readonly name?: string
}

export const dashboard: CommandGroup = {
  addTo(group: Command) {
    applicationCommand(group, 'link', 'print a link with which one person signs in, once, within an hour')
      .option('--name <name>', 'name of the person, shown in the list of sessions')
      .addHelpText(
        'after',
        '\nExample:\n  $ odograph dashboard link --application app_01M7XZ3JF90H8EC8HYVB2R0P6F --name "Ada Byron"',
      )
      .action(withCommandContext(link))
  },
}

async function link(
  { config, db, clock, output }: CommandContext,
  { application, name }: LinkOptions,
): Promise<void> {
  await findApplicationById({ db }, application)
  const created = await createSignInLink(
    { db, clock },
    { applicationId: application, name: name ?? null, actor: operatorActor },
  )
  const { id, expiresAt } = created.session
  output.one({
    id,
    url: `${publicAddressOf(config)}/dashboard/sign-in#${created.code}`,
    expiresAt: toIso(expiresAt),
  })
  output.say('The link works once. The session that it opens reads for a day; `odograph sessions` ends it.')
  if (config.publicUrl === undefined)
    output.say(
      'The link leads to this machine. Set PUBLIC_URL to the address at which people reach the service.',
    )
}
