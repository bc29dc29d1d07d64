#!/usr/bin/env node
// The decorators of the types that commands use need it.
import 'reflect-metadata'
import { run } from './program.ts'

/** The operator's command line. */

// A program that reads the output, such as `head`, can close the pipe at any time. That is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await run(process.argv.slice(2))
