import type { Config } from '../platform/config/config.ts'

/** Returns the public address of the service: that of the settings, or one on this host. */
export const publicAddressOf = ({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string =>
  publicUrl ?? `http://localhost:${port}`
