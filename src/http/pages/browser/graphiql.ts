import './monaco-workers.ts'
import { useGraphiQL, useGraphiQLActions } from '@graphiql/react'
import { GraphiQL } from 'graphiql'
import 'graphiql/style.css'
import { createElement, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { headers, operations } from './examples.ts'
import { fetcher } from './fetcher.ts'
import './page.css'

const TYPING_MS = 500

/** Reads the schema again when the headers have changed: they decide whether it may be read. */
function SchemaOfTheKey(): null {
  const editor = useGraphiQL(({ headerEditor }) => headerEditor)
  const { introspect } = useGraphiQLActions()
  useEffect(() => {
    let timer: number | undefined
    const typing = editor?.onDidChangeModelContent(() => {
      clearTimeout(timer)
      timer = setTimeout(() => void introspect(), TYPING_MS)
    })
    return () => {
      clearTimeout(timer)
      typing?.dispose()
    }
  }, [editor, introspect])
  return null
}

const page = createElement(
  GraphiQL,
  { fetcher, defaultQuery: operations, defaultHeaders: headers, defaultEditorToolsVisibility: 'headers' },
  createElement(GraphiQL.Footer, null, createElement(SchemaOfTheKey)),
)

createRoot(document.querySelector('#page') as Element).render(page)
