import { test } from 'vitest'
import { writeFileSync, appendFileSync } from 'node:fs'
import { parse, validate } from 'graphql'
import { compileQuery } from 'graphql-jit'
import { interpretedEngine } from '../../src/gateway/engine.ts'
import { fuse } from '../../src/gateway/fuse.ts'
import { federatedEngine, fusedEngine } from '../../src/gateway/gateway.ts'
import { subgraphs } from '../../src/gateway/subgraphs.ts'
import { plantFleets, temporaryDatabase } from '../factories.ts'
import { comparable } from './answers.ts'
import { corpus, CURSORS, cursorsIn } from './corpus.ts'
import { silent, ask, authenticatorOver, contextsOver, documentOf, supergraph } from './rig.ts'
import { serveSubgraph } from './subgraph-server.ts'
test('probe', async () => {
  const out = '/tmp/probe/out.txt'
  writeFileSync(out, '')
  const log = (s: string) => appendFileSync(out, s + '\n')
  if (process.env['LOUD']) (silent as any).error = (o: any, m: string) => log('  LOG ' + m + ' ' + JSON.stringify(o.path) + ' ' + String(o.err?.stack ?? o.err).split('\n').slice(0, 6).join(' | ') + (o.err?.originalError ? ' <- ' + o.err.originalError.stack?.split('\n').slice(0,4).join(' | ') : ''))
  await using db = await temporaryDatabase((process.env['DIALECT'] ?? 'sqlite') as 'sqlite')
  const fleets = await plantFleets(db)
  const contextFor = contextsOver(db)
  const authenticate = authenticatorOver(db)
  const urls = new Map<string, string>(), servers = []
  for (const s of subgraphs) { const server = await serveSubgraph(s, { authenticate, contextFor }); urls.set(s.name, server.url); servers.push(server) }
  const base = interpretedEngine(fuse(supergraph.apiSchema, subgraphs))
  const { party, connections } = fleets.a
  const { data } = await ask(base, contextFor, { party, document: documentOf(CURSORS), variables: { vehicle: connections[0]!.vehicles[0]!.id } })
  const ops = corpus(fleets, cursorsIn(data))
  for (const op of ops) { try { documentOf(op.text) } catch (e) { log('INVALID ' + op.name + ' ' + (e as Error).message.split('\n')[0]) } }
  const jit = fusedEngine(supergraph)
  const fed = federatedEngine(supergraph, urls)
  const engines: [string, any][] = [['jit1', jit], ['jit2', jit], ['fed', fed]]
  for (const s of subgraphs) engines.push([s.name, federatedEngine(supergraph, new Map([[s.name, urls.get(s.name)!]]))])
  const only = process.env['ONLY']
  const count: Record<string, number> = {}
  for (const op of ops) {
    if (only && !op.name.includes(only)) continue
    let document
    try { document = documentOf(op.text) } catch { continue }
    const expected = comparable(await ask(base, contextFor, { ...op, document }))
    const e = JSON.stringify(expected)
    if (only || process.env['SHOW']) log(`## ${op.name}\n   ${op.text}\n   base ${e.slice(0, 3000)}`)
    for (const [name, engine] of engines) {
      let got
      try { got = comparable(await ask(engine, contextFor, { ...op, document })) } catch (err) { got = { data: 'THREW', errors: [(err as Error).stack] } }
      const g = JSON.stringify(got)
      let same = true
      try { const { expect } = await import('vitest'); expect(got).toEqual(expected) } catch { same = false }
      if (!same) { count[name] = (count[name] ?? 0) + 1
        if (['jit1','jit2','fed'].includes(name) || only) {
          const d = JSON.stringify(got.data) === JSON.stringify(expected.data) ? '(data same)' : ''
          log(`-- ${name} ${op.name} ${d}\n   ${op.text.slice(0,300)}`)
          if (!d) log(`   want ${JSON.stringify(expected.data).slice(0, 1200)}\n   got  ${JSON.stringify(got.data).slice(0, 1200)}`)
          log('   missing ' + JSON.stringify(expected.errors.filter((x) => !got.errors.includes(x))).slice(0, 600) + '\n   extra ' + JSON.stringify(got.errors.filter((x: any) => !expected.errors.includes(x))).slice(0, 600))
          if (0) log(`   wantE ${JSON.stringify(expected.errors).slice(0, 1000)}\n   gotE  ${JSON.stringify(got.errors).slice(0, 1000)}`)
        } else log(`-- ${name} ${op.name}`)
      }
    }
  }
  log(ops.length + ' operations; differ: ' + JSON.stringify(count))
  for (const s of servers) await s[Symbol.asyncDispose]()
})
