import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connect } from './api/live-connection.js';
import { App } from './app.js';
import './style/tokens.css';
import './style/page.css';
import './style/parts.css';

connect();
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
