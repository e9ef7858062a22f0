import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { contractInBrowser } from './web/contract-in-browser.ts';
import { compiledMessages } from './web/messages/compile.ts';

export default defineConfig({
  plugins: [compiledMessages(), contractInBrowser(), tailwindcss(), reactRouter()],
  build: { assetsInlineLimit: 0, target: 'es2023', reportCompressedSize: false },
});
