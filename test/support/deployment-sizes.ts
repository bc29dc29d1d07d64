import { DistributedService } from '../prove/support/distributed-service.ts'
import {
  type Home,
  type RunningService,
  ServiceProcess,
  type Store,
} from '../prove/support/service-process.ts'

/** Deployment sizes of the service. Responses are the same at each size. */
export type Size = 'embedded' | 'standard' | 'distributed'

const all: readonly Size[] = ['embedded', 'standard', 'distributed']

/**
 * Sizes that the HTTP suites run on. Without MariaDB or Redis only `embedded` runs; the global setup prints a
 * warning.
 */
export const sizes: readonly Size[] = process.env['MYSQL_URL'] ? all : ['embedded']

export const storeOf = (size: Size): Store => (size === 'embedded' ? 'sqlite' : 'mariadb')

/** Starts a service of this size in its home and waits until it is ready. */
export const startSize = (
  size: Size,
  home: Home,
  options: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningService> =>
  size === 'distributed'
    ? DistributedService.start(home, options, environment)
    : ServiceProcess.start(home, options, environment)
