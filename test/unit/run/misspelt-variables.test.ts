import { expect, test } from 'vitest'
import { misspeltVariables } from '../../../src/platform/config/misspelt-variables.ts'

test.each([
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['CORS_ORIGINSS', 'CORS_ORIGINS'],
  ['CORSORIGINS', 'CORS_ORIGINS'],
  ['REDIS_URI', 'REDIS_URL'],
  ['MYQSL_URL', 'MYSQL_URL'],
  ['ENCRYPTION_KEYS', 'ENCRYPTION_KEY'],
  ['PUBLIC_URLS', 'PUBLIC_URL'],
])('%s is reported as a misspelt %s', (variable, setting) => {
  expect(misspeltVariables({ [variable]: 'x' })).toEqual([{ variable, setting }])
})

test('variables of other programs, settings, and empty variables are not reported', () => {
  const others = {
    HOME: '/root',
    HOSTNAME: 'a',
    PATH: '/bin',
    PWD: '/',
    USER: 'me',
    SHELL: 'sh',
    MYSQL_USER: 'a',
  }
  const known = { CORS_ORIGINS: '*', PORT: '8080', ENCRYPTION_KEY: 'x', ENCRYPTION_KEYS_OLD: 'y' }
  expect(misspeltVariables({ ...others, ...known, REDIS_URI: '' })).toEqual([])
})

test('a name beside the setting that it resembles is not reported', () => {
  expect(misspeltVariables({ REDIS_URI: 'redis://other', REDIS_URL: 'redis://ours' })).toEqual([])
})
