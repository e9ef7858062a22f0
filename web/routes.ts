import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('pages/home.tsx'),
  route('videoplayer', 'pages/videoplayer.tsx'),
  route('Category', 'pages/category.tsx'),
  route('ShowPosts', 'pages/show-posts.tsx'),
  route('AllUsers', 'pages/all-users.tsx'),
  route('user/:id', 'pages/user.tsx'),
  route('Contact', 'pages/contact.tsx'),
  route('Feedback', 'pages/feedback.tsx'),
  route('About', 'pages/about.tsx'),
  route('PrivacyPolicy', 'pages/privacy-policy.tsx'),
  route('EarningInfo', 'pages/earning-info.tsx'),
  route('DownloadApp', 'pages/download-app.tsx'),
  route('Activity', 'pages/activity.tsx'),
  route('LoginGoogle', 'pages/login-google.tsx'),
  route('LoginEmail', 'pages/login-email.tsx'),
  route('SignupForm', 'pages/signup-form.tsx'),
  route('UserProfile', 'pages/user-profile.tsx'),
  route('ReelPost', 'pages/reel-post.tsx'),
  route('offline', 'pages/offline.tsx'),
  route('*', 'pages/unknown.tsx'),
] satisfies RouteConfig;
