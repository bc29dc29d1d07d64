import type { Store } from '../../prove/support/service-process.ts'

/**
 * Databases that every behaviour suite runs on. Without MariaDB it is left out; the global setup prints a
 * warning.
 */
export const stores: readonly Store[] = process.env['MYSQL_URL'] ? ['sqlite', 'mariadb'] : ['sqlite']
