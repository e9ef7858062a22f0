import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('pages/home.tsx'),
  route('videoplayer', 'pages/videoplayer.tsx'),
  route('*', 'pages/unknown.tsx'),
] satisfies RouteConfig;
