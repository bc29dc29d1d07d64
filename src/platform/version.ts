import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `package.json`, two folders above this file, or three above its compiled form. */
const manifest = ['../..', '../../..']
  .map((folder) => join(import.meta.dirname, folder, 'package.json'))
  .find(existsSync)

/** Version of the service. */
export const version: string = manifest ? JSON.parse(readFileSync(manifest, 'utf8')).version : 'unknown'
