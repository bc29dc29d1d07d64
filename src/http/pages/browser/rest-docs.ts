import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import './page.css'

SwaggerUI({
  url: '/tsp/v1/openapi.json',
  domNode: document.querySelector('#page'),
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
})
