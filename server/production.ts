// React decides at its first import, wherever that is, whether to carry its development checks; they cost a third of a
// page's time. So this is the first import of the program.
process.env.NODE_ENV ??= 'production';
