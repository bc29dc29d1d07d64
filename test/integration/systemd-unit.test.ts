import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSettings } from '../../src/platform/config/config.ts'
import { settings } from '../../src/platform/config/settings.ts'
import { onPath } from '../support/database/temporary-mariadb.ts'

const unit = readFileSync('deploy/odograph.service', 'utf8')
const valueOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

describe('the systemd unit', () => {
  test('starts the built service with valid settings', () => {
    expect(existsSync(valueOf('ExecStart').split(' ')[1] ?? '')).toBe(true)
    const environment = Object.fromEntries(
      valueOf('Environment')
        .replaceAll('%S', '/var/lib')
        .split(' ')
        .map((pair) => pair.split('=')),
    ) as Record<string, string>
    const known = new Set(Object.values(settings).map((setting) => 'variable' in setting && setting.variable))
    expect(Object.keys(environment).filter((name) => !known.has(name as never))).toEqual([])
    expect(readSettings([], environment)).toMatchObject({
      config: { dataDir: `/var/lib/${valueOf('StateDirectory')}`, environment: 'production' },
    })
  })

  test('leaves as much time to stop as the compose file, after the same drain', () => {
    const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
      services: { gateway: { stop_grace_period: string; environment: Record<string, string> } }
    }
    const { stop_grace_period, environment } = services.gateway
    expect(`${valueOf('TimeoutStopSec')}s`).toBe(stop_grace_period)
    const drain = /DRAIN_SECONDS=(\d+)/.exec(valueOf('Environment'))?.[1]
    expect(environment['DRAIN_SECONDS']).toBe(`\${DRAIN_SECONDS:-${drain}}`)
  })

  test.skipIf(!onPath('systemd-analyze'))('is valid for systemd', () => {
    const folder = mkdtempSync(join(tmpdir(), 'odograph-unit-'))
    const file = join(folder, 'odograph.service')
    // Only the program of this machine may be elsewhere.
    writeFileSync(file, unit.replace('/usr/bin/node', process.execPath))
    try {
      const output = execFileSync('sh', ['-c', `systemd-analyze verify --man=no ${file} 2>&1`], {
        encoding: 'utf8',
      })
      expect(output.split('\n').filter((line) => line.includes('odograph'))).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
