#!/usr/bin/env node
import { run } from './program.ts'

/** The operator's command line. */

// Who reads from it may leave at any time, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await run(process.argv.slice(2))
