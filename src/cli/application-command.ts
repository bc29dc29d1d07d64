import type { Command } from 'commander'

/** Option of the commands that concern one application. */
export interface ApplicationOption {
  readonly application: string
}

/** Adds a command that concerns one application to a group. */
export const applicationCommand = (group: Command, name: string, description: string): Command =>
  group.command(name).description(description).requiredOption('--application <id>', 'id of the application')
