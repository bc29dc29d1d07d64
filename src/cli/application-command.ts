import type { Command } from 'commander'

/** Option of the commands that concern one application. */
export interface ApplicationOption {
  readonly application: string
}

export const APPLICATION_OPTION = '--application <id>'

/** Adds a command that concerns one application to a group. */
export const applicationCommand = (group: Command, name: string, description: string): Command =>
  group.command(name).description(description).requiredOption(APPLICATION_OPTION, 'id of the application')
